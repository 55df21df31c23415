/**
 * Plays the steps against a kube-apiserver 1.37 and writes its answers to recorded-1.37.json.
 *
 *   node test-e2e/src/releases/record.ts URL TOKEN
 *
 * The token is of a member of system:masters; the server is fresh, with its defaults.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../harness/client.ts';
import { play, type Told } from '../wire-details/play.ts';
import { steps } from './steps.ts';

const [url, token] = process.argv.slice(2);
if (url === undefined || token === undefined) {
  process.stderr.write('usage: record.ts URL TOKEN\n');
  process.exit(1);
}
const client = new Client(url, { kind: 'token', token });
const answers: Told[] = [];
for (const step of steps) answers.push(await play(client, step));
writeFileSync(
  join(import.meta.dirname, 'recorded-1.37.json'),
  `[\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]\n`,
);
