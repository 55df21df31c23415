import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';

/**
 * Defaults of CSI drivers (pkg/apis/storage/v1, 1.36).
 * @param scalesLimits VolumeLimitScaling is on, as it is by default since 1.37
 */
export function defaultCSIDriver(driver: CSIDriver, scalesLimits = false): void {
  const spec = (driver.spec ??= {});
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if ((spec.volumeLifecycleModes?.length ?? 0) === 0) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
  if (scalesLimits) spec.preventPodSchedulingIfMissing ??= false;
}
