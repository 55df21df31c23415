import { attackSuite } from './attack-suite.ts';
import { controllerRows } from './controller-rows.ts';

/** `KUBECHAIN_HOSTILE_OBJECTS=100000` is for a long run. */
const objects = Number(process.env['KUBECHAIN_HOSTILE_OBJECTS'] ?? 20_000);

attackSuite('attacks on a chain with controllers', { controllers: '*', rows: controllerRows(objects) });
