import { USUAL, USUAL_OF_TRIGGER } from '../support/mishaps/usual';
import { triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';

/** The errors people meet first; all others are in test/errors. */

const stage = useStage();

triesInPanel('node', stage, USUAL);
triesInPanel('trigger', stage, USUAL_OF_TRIGGER);
