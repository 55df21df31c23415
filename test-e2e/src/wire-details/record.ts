/**
 * Plays the steps against a kube-apiserver and writes its answers to recorded.json.
 *
 *   node test-e2e/src/wire-details/record.ts URL TOKEN [FILE]
 *
 * The token is of a member of system:masters; the server is fresh, with --disable-admission-plugins=ServiceAccount.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../harness/client.ts';
import { play, type Told } from './play.ts';
import { preparation, steps } from './steps.ts';

const [url = '', token = '', file = join(import.meta.dirname, 'recorded.json')] = process.argv.slice(2);
const client = new Client(url, { kind: 'token', token });
for (const step of preparation) await play(client, step);
// The definition is served, and in every discovery document.
await delay(5_000);
const answers: Told[] = [];
for (const step of steps) answers.push(await play(client, step));
writeFileSync(file, `[\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]\n`);
