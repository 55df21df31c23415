// Prints the files that something passes on its way, in order, how many they are, and how often the way goes back to
// one that it had left:
//   node test-e2e/src/walk/main.ts get|create|watch|crd
import { walk } from './walk.ts';
import { ways } from './ways.ts';

const way = ways[process.argv[2] ?? ''];
if (way === undefined) throw new TypeError(`one of ${Object.keys(ways).join(', ')}`);
const { entries, files, returns } = await walk(way);
for (const { file, functionName, line } of entries)
  process.stdout.write(`${file.padEnd(72)} ${functionName}:${line}\n`);
process.stdout.write(`${files} files, ${returns} returns\n`);
process.exit(0);
