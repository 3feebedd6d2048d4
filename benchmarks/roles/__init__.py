"""Role mining: roles found and permissions of new users predicted, against noise, by the methods of unmix.roles."""
