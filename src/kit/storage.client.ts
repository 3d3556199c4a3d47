/** Text that the browser keeps. A browser that refuses storage reads null and forgets what is written. */
function keepIn(open: () => Storage) {
  function attempt<Result, Otherwise>(run: (storage: Storage) => Result, otherwise: Otherwise): Result | Otherwise {
    try {
      return run(open())
    } catch {
      return otherwise
    }
  }
  const read = (key: string): string | null => attempt((storage) => storage.getItem(key), null)
  return {
    read,
    /** True in a browser that refuses storage, where null may stand for any value. */
    isRefused: (): boolean => attempt((storage) => storage.getItem(''), undefined) === undefined,
    /** The value written by `writeJson`; null when there is none, or when it is not JSON. */
    readJson: (key: string): unknown =>
      attempt((storage) => JSON.parse(storage.getItem(key) ?? 'null') as unknown, null),
    /** null removes the key. Returns false when the storage is refused or full: the value then lasts as long as the page. */
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
