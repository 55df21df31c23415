/** Lets the secure port show another certificate than its own, where somebody asks for it. */
export class ShownCertificate {
  #pem: string | undefined = undefined;
  #changed: (pem: string | undefined) => void = () => undefined;

  /** Told what is to be shown, now and whenever that changes; undefined: the port's own certificate. */
  follow(changed: (pem: string | undefined) => void): void {
    this.#changed = changed;
    if (this.#pem !== undefined) changed(this.#pem);
  }

  /** @param pem for the key of the port's own; undefined: its own */
  show(pem: string | undefined): void {
    if (pem === this.#pem) return;
    this.#pem = pem;
    this.#changed(pem);
  }
}
