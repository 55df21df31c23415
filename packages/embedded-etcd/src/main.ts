import { enableCompileCache } from 'node:module';

// Node keeps what it made of our sources, so that later starts take a third of the time.
// It begins with the imports that follow, which is why they are dynamic.
enableCompileCache();
const { main } = await import('./server/main.ts');
await main(process.argv.slice(2));
