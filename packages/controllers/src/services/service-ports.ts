import type { Pod, Service, ServicePort } from '@kubechain/apimachinery/types/core/v1';

/** The ports of a service, as its pods have them. `Port` is what is made of each. */
export class ServicePorts<Port> {
  readonly #ports: readonly ServicePort[];
  readonly #make: (port: ServicePort, number: number) => Port;
  /** Those that pods may have under different numbers. */
  readonly #named: readonly ServicePort[];
  readonly #lists = new Map<string, readonly Port[]>();

  constructor({ spec }: Service, make: (port: ServicePort, number: number) => Port) {
    this.#ports = spec?.ports ?? [];
    this.#make = make;
    this.#named = this.#ports.filter(({ targetPort }) => typeof targetPort === 'string');
  }

  /**
   * Those that a pod has: a port whose name the pod does not know is left out. Pods on which all names mean the same
   * numbers have one list, which is made once: thousands of ports on thousands of pods would be millions.
   */
  of(pod: Pod): readonly Port[] {
    const numbers = this.#named.length === 0 ? [] : this.#numbersOn(pod);
    const key = numbers.join();
    let list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, (list = this.#listOf(numbers)));
    return list;
  }

  #listOf(numbers: readonly (number | undefined)[]): readonly Port[] {
    let named = 0;
    return this.#ports.flatMap((each) => {
      const { port, targetPort } = each;
      const number = typeof targetPort === 'string' ? numbers[named++] : targetPort === 0 ? port : (targetPort ?? port);
      return number === undefined ? [] : [this.#make(each, number)];
    });
  }

  /** What the names mean on a pod: of two ports of one name the first counts. */
  #numbersOn({ spec }: Pod): readonly (number | undefined)[] {
    const byName = new Map<string, number>();
    const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
    for (const { ports = [] } of [...(spec?.containers ?? []), ...sidecars])
      for (const { containerPort, name = '', protocol = 'TCP' } of ports) {
        const key = `${protocol} ${name}`;
        if (name !== '' && !byName.has(key)) byName.set(key, containerPort);
      }
    return this.#named.map(({ protocol = 'TCP', targetPort = '' }) => byName.get(`${protocol} ${targetPort}`));
  }
}
