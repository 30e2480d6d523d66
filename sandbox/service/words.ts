/** The trade the data is made of. Companies and vessels are invented; ports are real places. */

export const customerNames = ['Harbour Lane Commodities', 'Northmoor Bulk Trading', 'Saltmarsh Merchants'];

/** Houses that are no one's seller: banks, carriers, inspectors. The sellers and buyers stand with their cargo. */
export const otherHouses = [
	'Amber Tide Shipping Lines',
	'Eastquay Ocean Carriers',
	'First Anchor Trade Bank',
	'Quayside Cargo Inspection',
];

export const vesselNames = [
	'AMBER TIDE',
	'BALTIC LANTERN',
	'CAPE JUNIPER',
	'COPPER MERIDIAN',
	'EASTERN QUAY',
	'GREEN FULMAR',
	'LONGREACH STAR',
	'NORTHMOOR SPIRIT',
	'OPAL STRAIT',
	'QUIET HORIZON',
	'SILVER DELTA',
	'WHITE HERON',
];

/** Port, country, and the port's code as it appears in references. */
export const ports = [
	['Antwerp', 'Belgium', 'BEANR'],
	['Busan', 'South Korea', 'KRPUS'],
	['Cartagena', 'Colombia', 'COCTG'],
	['Durban', 'South Africa', 'ZADUR'],
	['Gdynia', 'Poland', 'PLGDY'],
	['Göteborg', 'Sweden', 'SEGOT'],
	['Hamburg', 'Germany', 'DEHAM'],
	['Houston', 'United States', 'USHOU'],
	['Mombasa', 'Kenya', 'KEMBA'],
	['Paranaguá', 'Brazil', 'BRPNG'],
	['Rotterdam', 'Netherlands', 'NLRTM'],
	['Rouen', 'France', 'FRURO'],
	['Santos', 'Brazil', 'BRSSZ'],
	['Singapore', 'Singapore', 'SGSIN'],
	['Valparaíso', 'Chile', 'CLVAP'],
	['Vancouver', 'Canada', 'CAVAN'],
] as const;

export interface Cargo {
	name: string;
	/** The largest quantity of it, in `unit`. */
	most: number;
	unit: string;
	/** Codes of the ports it is loaded in. */
	loadPorts: string[];
	/** Houses that sell or buy it. */
	houses: string[];
}

export const cargoes: Cargo[] = [
	{
		name: 'Milling wheat',
		most: 32000,
		unit: 'MT',
		loadPorts: ['FRURO', 'CAVAN', 'DEHAM'],
		houses: ['Whitecliff Malting', 'Greenholm Feed & Seed'],
	},
	{
		name: 'Soya beans in bulk',
		most: 60000,
		unit: 'MT',
		loadPorts: ['BRSSZ', 'BRPNG'],
		houses: ['Serra Clara Exportação', 'Greenholm Feed & Seed'],
	},
	{
		name: 'Green coffee, washed arabica',
		most: 640,
		unit: 'BAGS',
		loadPorts: ['COCTG', 'BRSSZ', 'KEMBA'],
		houses: ['Meridian Coffee Importers', 'Serra Clara Exportação'],
	},
	{
		name: 'Hot rolled steel coils',
		most: 4200,
		unit: 'MT',
		loadPorts: ['KRPUS', 'BEANR'],
		houses: ['Two Rivers Steelworks'],
	},
	{
		name: 'Urea, granular',
		most: 25000,
		unit: 'MT',
		loadPorts: ['USHOU', 'BEANR'],
		houses: ['Copper Ridge Fertilisers'],
	},
	{
		name: 'Sawn timber, spruce',
		most: 3800,
		unit: 'CBM',
		loadPorts: ['SEGOT', 'CAVAN'],
		houses: ['Östra Viken Timber', 'Juniper Bay Paper'],
	},
	{
		name: 'Frozen fish fillets',
		most: 26,
		unit: 'MT',
		loadPorts: ['SEGOT', 'CLVAP'],
		houses: ['Fjordheim Sjømat'],
	},
	{
		name: 'Table grapes, chilled',
		most: 420,
		unit: 'PALLETS',
		loadPorts: ['ZADUR', 'CLVAP'],
		houses: ['Cape Lantern Fruit'],
	},
	{
		name: 'Copper cathodes',
		most: 500,
		unit: 'MT',
		loadPorts: ['CLVAP', 'ZADUR'],
		houses: ['Bluewater Ore & Metals'],
	},
	{
		name: 'Wood pellets',
		most: 18000,
		unit: 'MT',
		loadPorts: ['PLGDY', 'CAVAN'],
		houses: ['Baltic Ember Pellets'],
	},
	{
		name: 'Methanol',
		most: 9000,
		unit: 'MT',
		loadPorts: ['USHOU', 'SGSIN'],
		houses: ['Opal Strait Petrochem'],
	},
	{
		name: 'Raw cotton',
		most: 1100,
		unit: 'BALES',
		loadPorts: ['USHOU', 'BRSSZ'],
		houses: ['Longreach Cotton'],
	},
];

/** Papers that people upload beside the bill. Some names are hard on file systems on purpose. */
export const paperNames = [
	'Commercial invoice',
	'Packing list',
	'Certificate of origin',
	'Weight and quality certificate',
	'Inspection report: holds 2/3',
	'Insurance certificate 1/2',
	'Shipping instructions',
	'Cargo manifest',
];

/** Signature templates by customer; the first is the service's default one. */
export const signatureTexts = [
	'Signed by ${signedByEmployeeName}\non ${signingDate}',
	'For and on behalf of the shipper\n${user fullname}\n${signingDate}',
	'As agent for the carrier: ${signedByEmployeeName}, ${signingDate}',
];

/** The fixed id of the default signature template (the service's interface, section 2.3). */
export const defaultSignatureId = '00000000';
