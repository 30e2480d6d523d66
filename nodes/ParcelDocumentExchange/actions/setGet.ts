import type { IDataObject } from 'n8n-workflow';
import { simplifySet } from '../../../service/model/simplifiedSet';
import { WAIT_FOR_ONE } from '../descriptions/defaults';
import { timeZone } from '../parameters/callOptions';
import { findWanted, readWanted, type WantedSet } from './lookup';
import type { Operation } from './operation';

interface GetRequest {
	wanted: WantedSet;
	simplify: boolean;
	zone: string;
}

export const setGet: Operation<GetRequest> = {
	sideBySide: true,
	inOneTurn: true,
	read: (parameters) => ({
		wanted: readWanted(parameters, WAIT_FOR_ONE),
		simplify: parameters.flag('simplify', true),
		zone: timeZone(parameters.fields('options')),
	}),
	async answer({ wanted, simplify, zone }, work) {
		const { set } = await findWanted({ ...wanted, doubtIsFine: true }, work);
		return [{ json: (simplify ? simplifySet(set, zone) : { ...set }) as IDataObject }];
	},
};
