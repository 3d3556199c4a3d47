/** Text that the browser keeps. A browser that refuses storage reads null and forgets what is written. */
function keepIn(open: () => Storage) {
  const read = (key: string): string | null => {
    try {
      return open().getItem(key)
    } catch {
      return null
    }
  }
  return {
    read,
    /** The value written by `writeJson`; null when there is none, or when it is not JSON. */
    readJson(key: string): unknown {
      try {
        return JSON.parse(read(key) ?? 'null')
      } catch {
        return null
      }
    },
    /** null removes the key. Returns false when the storage is refused or full: the value then lasts as long as the page. */
    write(key: string, text: string | null): boolean {
      try {
        if (text === null) open().removeItem(key)
        else open().setItem(key, text)
        return true
      } catch {
        return false
      }
    },
    writeJson(key: string, value: unknown) {
      this.write(key, JSON.stringify(value))
    },
  }
}

export const deviceStorage = keepIn(() => localStorage)
export const tabStorage = keepIn(() => sessionStorage)
