// kubectl's own suite (test/cmd of Kubernetes) against `kubechain up` with the controllers here.
//   node test-e2e/src/kubectl-suite/main.ts [--log FILE] [GROUP...]
// GROUP: a name such as kubectl_apply; default: all. Exit status 1 where one has failed.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runKubectlSuite } from './kubectl-suite.ts';
import { helpFrom } from '../harness/help.ts';

helpFrom(import.meta.filename);
const { positionals, values } = parseArgs({ allowPositionals: true, options: { log: { type: 'string' } } });
const { groups, output, whole } = await runKubectlSuite(positionals, true);
if (values.log !== undefined) writeFileSync(values.log, output);
const failed = groups.filter(({ passed }) => !passed);
for (const { name } of failed) console.log(`failed: ${name}`);
if (!whole) console.log('the suite broke off');
console.log(`${groups.length - failed.length} groups passed, ${failed.length} failed`);
process.exitCode = whole && failed.length === 0 ? 0 : 1;
