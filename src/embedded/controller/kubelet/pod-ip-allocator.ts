/** Allocates pod addresses from 10.244.0.0/16, round robin, so that a released one is reused late. */
export class PodIpAllocator {
  readonly #taken = new Map<string, string>();
  /** The address of each pod: one that could not store it and tries again gets the same. */
  readonly #reserved = new Map<string, string>();
  #last = 0;

  /** Allocates an address for the pod of this key. */
  allocate(key: string): string {
    const reserved = this.#reserved.get(key);
    if (reserved !== undefined) return reserved;
    for (let tries = 0; tries < 65_533; tries++) {
      this.#last = (this.#last % 65_533) + 1;
      const address = `10.244.${this.#last >> 8}.${this.#last & 255}`;
      if (this.#taken.has(address)) continue;
      this.#taken.set(address, key);
      this.#reserved.set(key, address);
      return address;
    }
    throw new RangeError("no pod address is left in 10.244.0.0/16");
  }

  /** Marks the address of an existing pod as allocated. */
  occupy(address: string, key: string): void {
    this.#taken.set(address, key);
    this.#reserved.delete(key);
  }

  /** Releases the address of a deleted pod, and one that it has not stored. */
  release(address: string | undefined, key: string): void {
    for (const each of [address, this.#reserved.get(key)])
      if (each !== undefined && this.#taken.get(each) === key) this.#taken.delete(each);
    this.#reserved.delete(key);
  }
}
