import { triesInList, triesInPanel } from '../host/support/mishaps';
import { useStage } from '../host/support/stage';
import { LISTS } from '../support/mishaps/lists';
import { PARAMETERS } from '../support/mishaps/parameters';

const stage = useStage();

triesInPanel('node', stage, PARAMETERS);
triesInList(stage, LISTS);
