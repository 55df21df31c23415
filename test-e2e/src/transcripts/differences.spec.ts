import { expect } from 'chai';
import { differencesOf, isShiftOfRevisions } from './differences.ts';

const shifted = `FAIL a-list / all  (GET /api)
     body.metadata.resourceVersion: expected "<rv:6>", got "<rv:7>"
FAIL a-list / again  (GET /api)
     body.items[0].metadata.resourceVersion: expected "<rv:7>", got "<rv:8>"`;
const wrong = `FAIL a-list-of-lists / all  (GET /api)
     body.metadata.resourceVersion: expected "<rv:6>", got "<rv:7>"
     status: expected 200, got 500`;
const report = `${shifted}\nFAIL a-list: 1/3 steps\n${wrong}\nFAIL a-list-of-lists: 1/2 steps\n`;

describe('differences of a transcript', () => {
  it('are told from those of others', () => {
    expect(differencesOf('a-list', report)).to.equal(shifted);
    expect(differencesOf('a-list-of-lists', report)).to.equal(wrong);
    expect(differencesOf('a', report)).to.equal('');
  });

  it('may be chance when they are of resourceVersions only', () => {
    expect(isShiftOfRevisions(shifted)).to.equal(true);
    expect(isShiftOfRevisions(wrong)).to.equal(false);
    expect(
      isShiftOfRevisions('FAIL x / y  (GET /api)\n     body.metadata.resourceVersion: missing, expected "<rv:6>"'),
    ).to.equal(false);
    expect(
      isShiftOfRevisions('FAIL x / y  (GET /api)\n     body.metadata.resourceVersion: expected "5", got "<rv:6>"'),
    ).to.equal(false);
    expect(isShiftOfRevisions('')).to.equal(false);
  });
});
