import { triesInExecutions } from '../host/support/mishaps';
import { useStage } from '../host/support/stage';
import { REPORTS } from '../support/mishaps/reports';

triesInExecutions(useStage(), REPORTS);
