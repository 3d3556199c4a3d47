// The feed sends `typing` to a customer to whom staff type. Staff get `typing:<customer>` while a customer types, and
// `typing:<customer>:<staff>:<first name>` while staff type. The part after `typing:` is the key.

/** The key of staff on a customer's page. On staff pages, keys contain customer ids. */
export const STAFF = 'staff'

/** Returns the first names of colleagues in notices about this customer: `<customer>:<staff>:<first name>`. */
export const namesOfColleagues = (keys: Iterable<string>, customerId: string, ownId: string | undefined) =>
  [...keys].flatMap((key) => {
    const [customer, staff, ...name] = key.split(':')
    return customer === customerId && staff !== undefined && staff !== ownId ? [name.join(':') || 'A colleague'] : []
  })
