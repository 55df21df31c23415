// Keeps what another release of kube-apiserver answers otherwise than 1.36.2 to the recorded requests.
//   node test-e2e/transcripts/replay.mjs --record FOLDER --server URL test-e2e/transcripts/AREA…   (of that release)
//   node test-e2e/src/transcripts/record-release.ts FOLDER RELEASE
// How the server is started: docs/releases.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { answersFile, answersOtherwise } from './release-answers.ts';

const [folder, release] = process.argv.slice(2);
if (folder === undefined || release === undefined) {
  console.error('usage: record-release.ts FOLDER RELEASE');
  process.exit(2);
}
const answers = answersOtherwise(folder, join(import.meta.dirname, '../../transcripts'));
const steps = Object.values(answers).reduce((sum, changed) => sum + Object.keys(changed).length, 0);
const file = answersFile(release);
mkdirSync(dirname(file), { recursive: true });
const rows = Object.entries(answers).map(([name, changed]) => `${JSON.stringify(name)}:${JSON.stringify(changed)}`);
writeFileSync(file, `{\n${rows.join(',\n')}\n}\n`);
console.log(`${steps} steps of ${rows.length} transcripts are answered otherwise: ${file}`);
