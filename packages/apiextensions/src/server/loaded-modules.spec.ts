import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const program = `
await import('./run.ts');
console.log(process.moduleLoadList.includes('NativeModule tls'));
`;

describe('node:tls', () => {
  it('is not loaded with the server, which needs none of it behind others', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--no-warnings', '--eval', program],
      { cwd: import.meta.dirname },
    );
    expect(stdout.trim()).to.equal('false');
  }).timeout(120_000);
});
