import { triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { ANSWERS } from '../support/mishaps/answers';
import { DOWNLOADS } from '../support/mishaps/downloads';
import { PAGING } from '../support/mishaps/paging';

const stage = useStage();

triesInPanel('node', stage, ANSWERS);
triesInPanel('node', stage, DOWNLOADS);
triesInPanel('node', stage, PAGING);
