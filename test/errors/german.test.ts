import { GERMAN } from '../support/host/editor';
import { triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { USUAL, USUAL_OF_TRIGGER } from '../support/mishaps/usual';

/** The errors people meet first, read at a German desk: what is said to them stays as it is. */

const stage = useStage({ settings: GERMAN });

triesInPanel('node', stage, USUAL);
triesInPanel('trigger', stage, USUAL_OF_TRIGGER);
