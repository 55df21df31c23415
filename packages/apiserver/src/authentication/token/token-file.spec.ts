import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthenticatedUser } from '../authenticator.ts';
import { loadTokenFile } from './token-file.ts';

describe('token file', () => {
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'token-file-'))));
  after(() => rmSync(directory, { recursive: true }));

  function load(content: string, warnings: string[] = []): (token: string) => AuthenticatedUser['user'] | undefined {
    const path = join(directory, 'tokens.csv');
    writeFileSync(path, content);
    const authenticator = loadTokenFile(path, { warn: (text) => warnings.push(text.replace(path, 'FILE')) });
    return (token) => (authenticator.authenticateToken(token) as AuthenticatedUser | undefined)?.user;
  }

  it('reads users with and without groups, as Go reads CSV', () => {
    const user = load('t1,alice,1,"devs,ops"\r\n\nt2,bob,2\nt3,"car""ol",3,one,ignored\n"t,4","multi\nline",4,""');
    expect(user('t1')).to.deep.equal({ name: 'alice', uid: '1', groups: ['devs', 'ops'] });
    expect(user('t2')).to.deep.equal({ name: 'bob', uid: '2', groups: [] });
    expect(user('t3')).to.deep.equal({ name: 'car"ol', uid: '3', groups: ['one'] });
    expect(user('t,4')).to.deep.equal({ name: 'multi\nline', uid: '4', groups: [''] });
    expect(user('t5')).to.equal(undefined);
  });
  it('warns of empty and duplicate tokens', () => {
    const warnings: string[] = [];
    expect(load(',nobody,0\nt,a,1\nt,b,2\n', warnings)('t')?.name).to.equal('b');
    expect(warnings).to.deep.equal([
      "empty token has been found in token file 'FILE', record number '1'",
      "duplicate token has been found in token file 'FILE', record number '3'",
    ]);
  });
  for (const [title, content, message] of [
    [
      'too few columns',
      'a,b\n',
      /^--token-auth-file: token file '.*' must have at least 3 columns \(token, user name, user uid\), found 2$/,
    ],
    ['a bare quote', 'a,b"c,d\n', /parse error on line 1, column 4: bare " in non-quoted field$/],
    [
      'a quote that does not end',
      'x,y,z\na,b,"c\nd',
      /record on line 2; parse error on line 3, column 2: extraneous or missing " in quoted-field$/,
    ],
    ['text after a quote', 'a,"b"c,d\n', /parse error on line 1, column 5: extraneous or missing " in quoted-field$/],
  ] as const) {
    it(`refuses ${title}`, () => expect(() => load(content)).to.throw(message));
  }
  it('names the flag when the file is not there', () => {
    expect(() => loadTokenFile(join(directory, 'none'))).to.throw(/^--token-auth-file: cannot read '.*none': ENOENT/);
  });
});
