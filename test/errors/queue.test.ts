import { triesInDialog, triesInPanel, triesToPublish } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { DIALOGS_OF_QUEUE } from '../support/mishaps/dialogs';
import { PUBLISHING, QUEUE } from '../support/mishaps/queue';

const stage = useStage();

triesInPanel('trigger', stage, QUEUE);
triesInDialog('trigger', stage, DIALOGS_OF_QUEUE);
triesToPublish(stage, PUBLISHING);
