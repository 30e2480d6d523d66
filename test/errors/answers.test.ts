import { triesInPanel } from '../host/support/mishaps';
import { useStage } from '../host/support/stage';
import { ANSWERS } from '../support/mishaps/answers';
import { DOWNLOADS } from '../support/mishaps/downloads';
import { PAGING } from '../support/mishaps/paging';

const stage = useStage();

triesInPanel('node', stage, ANSWERS);
triesInPanel('node', stage, DOWNLOADS);
triesInPanel('node', stage, PAGING);
