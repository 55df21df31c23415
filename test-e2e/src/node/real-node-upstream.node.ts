import { Cluster } from './cluster.ts';
import { describeWorkloads } from './workloads.ts';

describe('a real node, with kube-controller-manager and kube-scheduler', () => {
  let cluster: Cluster;
  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    cluster = await Cluster.start('upstream');
  });
  after(() => cluster?.stop());
  describeWorkloads(() => cluster);
});
