import { expect } from 'chai';
import { shareOf } from '../ci/share.ts';
import { runKubectlSuite, type SuiteOutcome } from './kubectl-suite.ts';

/** A share of the suite: `npm run test:kubectl` runs all of it. */
const share = shareOf([
  ['kubectl_apply', 'kubectl_get', 'crd', 'rs'],
  ['kubectl_server_side_apply', 'kubectl_diff', 'service'],
]).flat();

describe("kubectl's own suite", function () {
  // The first run downloads Kubernetes' module, and may have to build kubectl.
  this.timeout(1_800_000);
  let outcome: SuiteOutcome;
  before(async () => {
    outcome = await runKubectlSuite(share, false);
  });

  for (const group of share)
    it(`passes: ${group}`, () => {
      expect(outcome.groups, outcome.output.slice(-20_000)).to.deep.include({ name: group, passed: true });
    });
  it('came to its end', () => expect(outcome.whole, outcome.output.slice(-20_000)).to.equal(true));
});
