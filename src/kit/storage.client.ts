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
    /** null removes the key. */
    write(key: string, text: string | null) {
      try {
        if (text === null) open().removeItem(key)
        else open().setItem(key, text)
      } catch {
        // refused or full: the value lasts as long as the page
      }
    },
    writeJson(key: string, value: unknown) {
      this.write(key, JSON.stringify(value))
    },
  }
}

export const deviceStorage = keepIn(() => localStorage)
export const tabStorage = keepIn(() => sessionStorage)
