// Installs the Node releases of node-releases.ts ahead of the tests that run them, into the folder that
// KUBECHAIN_NODE_RELEASES names.
//   node test-e2e/src/packages/install-node-releases.ts
import { majors, NodeReleases } from './node-releases.ts';

if (process.env['KUBECHAIN_NODE_RELEASES'] === undefined) throw new Error('KUBECHAIN_NODE_RELEASES names no folder');
const releases = await NodeReleases.open(...majors);
for (const major of majors) console.log(releases.program(major));
