import { Cluster } from './cluster.ts';
import { describeWorkloads } from './workloads.ts';

describe('a real node, with the controllers and the scheduler here', () => {
  let cluster: Cluster;
  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    cluster = await Cluster.start('own');
  });
  after(() => cluster?.stop());
  describeWorkloads(() => cluster);
});
