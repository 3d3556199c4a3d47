// The change feed sends `typing` to a customer to whom staff type. It sends `typing:<customer>` to staff while a customer types,
// and `typing:<customer>:<staff>:<first name>` while staff type to a customer. What follows `typing:` is the key of who types.

/** The key of staff on the page of a customer. Staff see keys with the ids of customers. */
export const STAFF = 'staff'

/** The first names of those who type to this customer, without the caller. */
export const namesOfTypingColleagues = (keys: Iterable<string>, customerId: string, ownId: string | undefined) =>
  [...keys].flatMap((key) => {
    const [customer, staff, ...name] = key.split(':')
    return customer === customerId && staff !== undefined && staff !== ownId ? [name.join(':') || 'A colleague'] : []
  })
