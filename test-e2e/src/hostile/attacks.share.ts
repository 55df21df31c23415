import { attackRows, failures, followUps } from './attack-rows.ts';
import { attackSuite } from './attack-suite.ts';

attackSuite('attacks', { rows: attackRows, failures, followUps });
