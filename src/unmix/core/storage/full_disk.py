"""How an operating system says that there is no room: the disk, the quota, or the largest size of a file."""

import errno

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
