// Builds programs of harness/go-tools.ts ahead of the tests that run them, into the folder that KUBECHAIN_GO_TOOLS
// names.
//   node test-e2e/src/harness/build-go-tool.ts NAME…
import { goTool, goTools, type GoTool } from './go-tools.ts';

const isGoTool = (name: string): name is GoTool => (goTools as readonly string[]).includes(name);

for (const name of process.argv.slice(2)) {
  if (!isGoTool(name)) throw new Error(`no such program: ${name}`);
  console.log(await goTool(name));
}
