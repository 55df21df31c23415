/** Runs in a process of its own: prints what `new RegExp` makes while the files given as arguments are loaded. */
import { pathToFileURL } from 'node:url';

const made: { source: string; flags: string; stack: string }[] = [];
const Plain = globalThis.RegExp;
globalThis.RegExp = new Proxy(Plain, {
  construct(target, args, newTarget) {
    const pattern = Reflect.construct(target, args, newTarget) as RegExp;
    made.push({ source: pattern.source, flags: pattern.flags, stack: new Error('made').stack ?? '' });
    return pattern;
  },
});
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
globalThis.RegExp = Plain;
process.stdout.write(JSON.stringify(made));
process.exit(0);
