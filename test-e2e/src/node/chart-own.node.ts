import { describeChart } from './chart.ts';
import { Cluster } from './cluster.ts';
import { describeImage } from './image-checks.ts';

describe('the chart on a real node', () => {
  let cluster: Cluster;
  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    cluster = await Cluster.start('own');
  });
  after(() => cluster?.stop());
  describeChart(() => cluster);
  describeImage(() => cluster);
});
