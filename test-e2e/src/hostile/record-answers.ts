/**
 * Fires rows at a fresh kube-apiserver on a port of this machine, which knows the tokens of rights.ts, one after
 * another, and writes what it answers: `node test-e2e/src/hostile/record-answers.ts --port 6443 [--ci] [--only REGEX]`.
 * The chain's answers are compared with them by hostile.ci.ts.
 */
import { parseArgs } from 'node:util';
import { helpFrom } from '../harness/help.ts';
import { answerOf, readAnswers, writeAnswers, type Answer } from './answers.ts';
import { administrator, eve, giveRights } from './rights.ts';
import { ciRows, knownHeavy, rows } from './rows.ts';
import { Target } from './target.ts';

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    ci: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const port = Number(values.port);
await giveRights(new Target(port, administrator));
const only = new RegExp(values.only);
const before = readAnswers();
const answers: Record<string, Answer> = {};
for (const row of rows.filter((each) => ciRows.includes(each) || !knownHeavy.has(each.name))) {
  const known = before[row.name];
  if (known !== undefined && !(only.test(row.name) && (!values.ci || ciRows.includes(row)))) {
    answers[row.name] = known;
    continue;
  }
  answers[row.name] = answerOf(await row.fire(new Target(port, row.as === 'user' ? eve : '')));
  console.log(row.name, JSON.stringify(answers[row.name]).slice(0, 200));
}
writeAnswers(answers);
