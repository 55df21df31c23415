import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { answersFile, statusesOf } from './answers.ts';
import { administrator, eve, giveRights } from './rights.ts';
import { knownHeavy, rows } from './rows.ts';
import { Target } from './target.ts';

/**
 * Fires all rows at a fresh kube-apiserver on a port of this machine, which knows the tokens of rights.ts, and writes
 * what it answers: `node test-e2e/src/hostile/record-answers.ts --port 6443`.
 */
const { values } = parseArgs({ options: { port: { type: 'string' }, output: { type: 'string' } } });
const port = Number(values.port);
await giveRights(new Target(port, administrator));
const answers: Record<string, readonly number[]> = {};
for (const row of rows.filter(({ name }) => !knownHeavy.has(name))) {
  const outcome = await row.fire(new Target(port, row.as === 'user' ? eve : ''));
  answers[row.name] = statusesOf(outcome);
  console.log(row.name, answers[row.name], outcome.text.slice(0, 160).replaceAll(/\s+/g, ' '));
}
writeFileSync(values.output ?? answersFile, `${JSON.stringify(answers, undefined, 2)}\n`);
