import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Node keeps what it made of our sources, so that later starts take a third of the time.
// It begins with the imports that follow, which is why they are dynamic.
// Not in Node's own place, the system's temporary folder, where others may put what is run then.
enableCompileCache(process.env['NODE_COMPILE_CACHE'] ?? join(homedir(), '.cache/kubechain/compiled'));
const { main } = await import('./server/main.ts');
await main(process.argv.slice(2));
