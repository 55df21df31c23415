import { shareOf } from '../ci/share.ts';
import { attackSuite } from './attack-suite.ts';
import { controllerRows } from './controller-rows.ts';

const rows = controllerRows(2_000);
const half = Math.ceil(rows.length / 2);

attackSuite('a share of the attacks on a chain with controllers', {
  controllers: '*',
  rows: [...shareOf(rows.slice(0, half)), ...shareOf(rows.slice(half))],
});
