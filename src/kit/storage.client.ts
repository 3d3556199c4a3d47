let isShut = false

/** From now on, this page reads and writes no storage, as if the browser refused it. */
export function shutStorage() {
  isShut = true
}

/** Stores text in the browser. If the browser refuses storage, reads return null and writes have no effect. */
function keepIn(open: () => Storage) {
  function attempt<Result, Otherwise>(run: (storage: Storage) => Result, otherwise: Otherwise): Result | Otherwise {
    if (isShut) return otherwise
    try {
      return run(open())
    } catch {
      return otherwise
    }
  }
  const read = (key: string): string | null => attempt((storage) => storage.getItem(key), null)
  return {
    read,
    /** Returns true if the browser refuses storage. Then null does not mean that a value is missing. */
    isRefused: (): boolean => attempt((storage) => storage.getItem(''), undefined) === undefined,
    /** Reads the value of `writeJson`. Null if there is no value or if it is not JSON. */
    readJson: (key: string): unknown =>
      attempt((storage) => JSON.parse(storage.getItem(key) ?? 'null') as unknown, null),
    /** Writes a value; null removes it. Returns false if the browser refuses storage or the storage is full. */
    write: (key: string, text: string | null): boolean =>
      attempt((storage) => {
        if (text === null) storage.removeItem(key)
        else storage.setItem(key, text)
        return true
      }, false),
    writeJson(key: string, value: unknown) {
      this.write(key, JSON.stringify(value))
    },
  }
}

export const deviceStorage = keepIn(() => localStorage)
export const tabStorage = keepIn(() => sessionStorage)
