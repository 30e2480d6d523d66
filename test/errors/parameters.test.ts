import { triesInList, triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { LISTS } from '../support/mishaps/lists';
import { PARAMETERS } from '../support/mishaps/parameters';

const stage = useStage();

triesInPanel('node', stage, PARAMETERS);
triesInList(stage, LISTS);
