"""What attributes of users say: rules for roles, birthright of a kind of user, and users whose access does not fit."""
