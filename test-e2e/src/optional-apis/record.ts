/**
 * Plays the steps against a kube-apiserver and writes its answers to recorded.json.
 *
 *   node test-e2e/src/optional-apis/record.ts URL TOKEN
 *
 * The token is of a member of system:masters; the server is fresh, with the --runtime-config of steps.ts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../harness/client.ts';
import { play, type Told } from '../wire-details/play.ts';
import { runtimeConfig, steps } from './steps.ts';

const [url, token] = process.argv.slice(2);
if (url === undefined || token === undefined) {
  process.stderr.write(`usage: record.ts URL TOKEN, of a server with --runtime-config=${runtimeConfig}\n`);
  process.exit(1);
}
const client = new Client(url, { kind: 'token', token });
const answers: Told[] = [];
for (const step of steps) answers.push(await play(client, step));
writeFileSync(
  join(import.meta.dirname, 'recorded.json'),
  `[\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]\n`,
);
