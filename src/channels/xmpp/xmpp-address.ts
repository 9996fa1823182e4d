/** Addresses of XMPP: `local@domain/resource`. */
const BARE = /^[^\s@/"&'<>:]{1,255}@[^\s@/"&'<>:]{1,255}$/;

export const isBareAddress = (address: string): boolean => BARE.test(address);
/** Compared without case: servers do so too. */
export const bareOf = (address: string): string => (address.split("/", 1)[0] ?? "").toLowerCase();
export const resourceOf = (address: string): string => address.slice(address.split("/", 1)[0]?.length ?? 0).slice(1);
