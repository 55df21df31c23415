import { Cluster } from './cluster.ts';
import { describeWorkloads } from './workloads.ts';

describe('a real node, with our own controllers and scheduler', function () {
  let cluster: Cluster;
  this.timeout(180_000);
  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    cluster = await Cluster.start('own');
  });
  after(() => cluster?.stop());
  describeWorkloads(() => cluster);
});
