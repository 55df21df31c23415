import { expect } from 'chai';
import { stabilityOf } from './metric-stability.ts';

describe('stabilityOf', () => {
  const rows: readonly (readonly [help: string, level: string, deprecatedVersion: string])[] = [
    ['[BETA] Current depth of workqueue', 'BETA', ''],
    ['[ALPHA] ', 'ALPHA', ''],
    ['EXPERIMENTAL: [ALPHA] Observations', 'ALPHA', ''],
    ['[STABLE] (Deprecated since 1.34.0) [DEPRECATED, use another] Number', 'STABLE', '1.34.0'],
    ['Seconds of work.', 'ALPHA', ''],
    ['[Seconds]', 'ALPHA', ''],
  ];
  for (const [help, level, deprecatedVersion] of rows)
    it(`reads ${JSON.stringify(help)}`, () => {
      expect(stabilityOf(help)).to.deep.equal({ level, deprecatedVersion });
    });
});
