import { triesInDialog, triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { ACCOUNT } from '../support/mishaps/account';
import { CONNECTION } from '../support/mishaps/connection';
import { DIALOGS } from '../support/mishaps/dialogs';

const stage = useStage();

triesInPanel('node', stage, ACCOUNT);
triesInPanel('node', stage, CONNECTION);
triesInDialog('node', stage, DIALOGS);
