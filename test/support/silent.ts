import type { Logger } from '../../service/surroundings';

/** A logger for what logs nothing that the test looks at. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
