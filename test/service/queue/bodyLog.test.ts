import { BodyLog } from '../../../service/queue/bodyLog';
import { Noted } from '../../../service/queue/noted';
import { message } from '../../support/message';
import { manualClock } from '../../support/manualClock';
import { recordingLogger } from '../../support/subscriber';

describe('a body that comes often', () => {
	it('stands in the log once, from its third delivery on', async () => {
		const clock = manualClock();
		const logger = recordingLogger();
		const log = new BodyLog(clock, logger, 'Queue parcels', new Noted());
		for (const returns of [0, 1]) log.delivered(message('{"newStatus":"Signed"}', { returns }));
		await clock.advance(0);
		expect(logger.lines).toEqual([]);
		for (const returns of [2, 3]) log.delivered(message('{"newStatus":"Signed"}', { returns }));
		await clock.advance(0);
		expect(logger.lines).toHaveLength(1);
		expect(logger.lines[0]).toContain('Signed');
	});
});
