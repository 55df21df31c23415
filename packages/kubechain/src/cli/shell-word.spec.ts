import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { shellWord } from './shell-word.ts';

describe('a word of a shell', () => {
  it('stays as it is where a shell reads it so', () => {
    expect(shellWord('/tmp/a-b_c/.kubechain/admin.kubeconfig')).to.equal('/tmp/a-b_c/.kubechain/admin.kubeconfig');
  });
  for (const text of ['my project', "it's", 'prøject ✓', '$HOME `id` "a" \\', ''])
    it(`is read back: ${text}`, () => {
      expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).to.equal(text);
    });
});
