"""One module a subject, run in this order; each case attaches the drives that it needs."""

MODULES = ("clients", "nvme", "scsi", "trouble", "history")
