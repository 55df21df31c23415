import { Cluster } from './cluster.ts';
import { describeDevices } from './drivers/devices.ts';
import { describeStorage } from './drivers/storage.ts';

describe('drivers of devices and storage on a real node', () => {
  let cluster: Cluster;
  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    cluster = await Cluster.start('own');
  });
  after(() => cluster?.stop());
  describe('devices', () => {
    describeDevices(() => cluster);
  });
  describe('storage', () => {
    describeStorage(() => cluster);
  });
});
