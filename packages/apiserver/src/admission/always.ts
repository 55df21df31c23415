import { admissionForbidden } from './admission-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

/** Admits everything, as if it were not there (plugin/pkg/admission/admit). */
export class AlwaysAdmit implements AdmissionPlugin {
  readonly name = 'AlwaysAdmit';

  handles(): boolean {
    return true;
  }
}

/** Refuses every write, for tests (plugin/pkg/admission/deny). */
export class AlwaysDeny implements AdmissionPlugin {
  readonly name = 'AlwaysDeny';

  handles(): boolean {
    return true;
  }

  admit(attributes: AdmissionAttributes): void {
    throw admissionForbidden(attributes, 'admission control is denying all modifications');
  }

  validate(attributes: AdmissionAttributes): void {
    this.admit(attributes);
  }
}
