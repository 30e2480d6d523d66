import { GERMAN } from '../support/host/editor';
import { triesInList, triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { DOWNLOADS } from '../support/mishaps/downloads';
import { LISTS } from '../support/mishaps/lists';
import { PARAMETERS } from '../support/mishaps/parameters';
import { USUAL, USUAL_OF_TRIGGER } from '../support/mishaps/usual';

/** The errors people meet first, and all mistakes in fields, read at a German desk: what is said to them stays as it is. */

const stage = useStage({ settings: GERMAN });

triesInPanel('node', stage, USUAL);
triesInPanel('node', stage, PARAMETERS);
triesInPanel('node', stage, DOWNLOADS);
triesInList(stage, LISTS);
triesInPanel('trigger', stage, USUAL_OF_TRIGGER);
