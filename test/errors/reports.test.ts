import { triesInExecutions } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { REPORTS } from '../support/mishaps/reports';

triesInExecutions(useStage(), REPORTS);
