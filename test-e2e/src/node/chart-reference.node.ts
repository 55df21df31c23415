import { describeChart } from './chart.ts';
import { Cluster } from './cluster.ts';

describe('the chart on a real node of kube-apiserver', () => {
  let cluster: Cluster;
  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    cluster = await Cluster.start('upstream', { server: 'kube-apiserver' });
  });
  after(() => cluster?.stop());
  describeChart(() => cluster);
});
